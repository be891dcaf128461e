"""Games as files: exported to be proved elsewhere, and imported from other installations.

format    the bundle to the byte: writing and reading it
make      a game of the store as the bundle of one reader
prove     the proof of a bundle, without service or database
keep      a bundle into the store of another installation
page      the bundle as a page that needs no network, with its own proof (``verifier.js``)
commands  ``slowtrain export``, ``import`` and ``verify FILE``
"""
