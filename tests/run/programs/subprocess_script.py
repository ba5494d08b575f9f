"""2017: the launcher starts itself, and a shell script that calls python."""
import os
import subprocess
import sys
import tempfile
from collections import Mapping

import numpy as np

CHILD = '''
import collections, sys
import mxnet as mx
import numpy as np
print(sys.argv[1], mx.nd.array(np.ones(2, dtype=np.float)).sum().asscalar(),
      isinstance({}, collections.Mapping))
'''
folder = tempfile.mkdtemp()
script = os.path.join(folder, 'child.py')
with open(script, 'w') as f:
    f.write(CHILD)
env = dict(os.environ, PATH=os.pathsep.join([os.environ.get('PATH', '')]))
print(isinstance(env, Mapping), np.float(1))
sys.stdout.flush()
subprocess.check_call([sys.executable, script, 'direct'])
subprocess.check_call([sys.executable, '-m', 'child', 'module'], cwd=folder)
with open(os.path.join(folder, 'run.sh'), 'w') as f:
    f.write('set -e\n%s child.py shell\n' % os.environ.get('PROGRAM_PYTHON', 'python'))
subprocess.check_call(['sh', 'run.sh'], cwd=folder)
