"""Lexicalised grammars: elementary trees, where they adjoin, XTAG, and hand-written rules."""
