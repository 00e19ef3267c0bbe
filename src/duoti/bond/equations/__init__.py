"""From a bond graph to its equations: causality, elimination, order of evaluation."""
