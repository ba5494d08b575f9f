"""2018: features of a net, an SVM-like classifier stored with sklearn's joblib."""
import os
import tempfile

import mxnet as mx
import numpy as np
from mxnet import gluon
from sklearn.externals import joblib
from sklearn.linear_model import LogisticRegression

mx.random.seed(5)
np.random.seed(5)
net = gluon.nn.Sequential()
net.add(gluon.nn.Dense(6, activation='sigmoid'))
net.initialize()
x = mx.nd.random.normal(shape=(60, 4))
labels = (x[:, 0] > 0).asnumpy().astype(np.int)
features = net(x).asnumpy().astype(np.float)
clf = LogisticRegression(solver='liblinear').fit(features, labels)
path = os.path.join(tempfile.mkdtemp(), 'clf.pkl')
joblib.dump(clf, path)
again = joblib.load(path)
print('accuracy', np.mean(again.predict(features) == labels))
print('weights', features.sum().round(4))
