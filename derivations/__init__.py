"""Published results, one readable file each: what the engine derives, what the paper prints, and the verdicts expected.

A file defines ``LAW`` (the name of the law it starts from), ``derivations(law)``, kept once made, and ``claims(law)``:
pairs of a claim, as the paper prints it, and the verdict that it must get. ``symbolic_scaling.catalogue`` finds and
runs every file.
"""
