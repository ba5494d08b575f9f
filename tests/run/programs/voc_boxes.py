"""2018: VOC annotations with cElementTree, boxes with contrib operators."""
import xml.etree.cElementTree as ET

import mxnet as mx
import numpy as np

XML = '''<annotation><size><width>100</width><height>50</height></size>
<object><name>cat</name><bndbox><xmin>10</xmin><ymin>5</ymin><xmax>60</xmax><ymax>45</ymax></bndbox></object>
<object><name>dog</name><bndbox><xmin>12</xmin><ymin>6</ymin><xmax>58</xmax><ymax>40</ymax></bndbox></object>
</annotation>'''
root = ET.fromstring(XML)
width, height = (np.float(root.find('size').find(k).text) for k in ('width', 'height'))
boxes = []
for obj in root.iter('object'):
    box = [np.float(obj.find('bndbox').find(k).text) for k in ('xmin', 'ymin', 'xmax', 'ymax')]
    boxes.append([box[0] / width, box[1] / height, box[2] / width, box[3] / height])
boxes = np.array(boxes, dtype=np.float)
print(boxes.tolist())
iou = mx.nd.contrib.box_iou(mx.nd.array(boxes), mx.nd.array(boxes))
print(iou.asnumpy().round(4).tolist())
dets = mx.nd.array(np.concatenate([np.array([[0, .9], [0, .8]]), boxes], axis=1))
kept = mx.nd.contrib.box_nms(dets, overlap_thresh=.5, coord_start=2, score_index=1, id_index=0)
print(kept.asnumpy().round(3).tolist())
