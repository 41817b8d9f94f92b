-- Days are counted from here.
date '0001-01-01'
