"""Do the tests of a title notice when a rule is changed? A developers' tool.

    python -m tests.mutants --title new_england --mutants 150 --seed 1

It makes *mutants* of the title's rules, legal lists and scoring, each with one small change that a slip of the hand
could make (`operators`), and runs the title's own tests on each. A mutant *dies* if a test fails, and *lives* if all
pass: then either a test is missing, or the change means nothing. Mutants that mean nothing are kept with a reason each
in `equivalents`, and no sample is drawn from them.

Why not a library: mutmut (3.8) changes only bodies of functions without decorators, so no table, property or cached
function. It drops neither statements nor elements of lists, which is how a rule is lost; most of its mutants are
changed strings and arguments set to None, which any test kills. Cosmic Ray (8.7) drops nothing either, and starts a
process for each mutant. Neither draws a sample, nor keeps reasons apart from the code.
"""
