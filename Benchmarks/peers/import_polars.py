"""Peer for the import: reads the CSV with polars into SQLite.

    import_polars.py FER2013.CSV OUT.SQLITE

The fastest way found in Python: a lazy scan, pixels split and cast in polars, one executemany.
"""
import os
import sqlite3
import sys

import polars as pl

source, target = sys.argv[1:]
for ending in ("", "-wal", "-shm"):
    if os.path.exists(target + ending):
        os.unlink(target + ending)

table = (pl.scan_csv(source)
         .with_columns(pl.col("pixels").str.split(" ").list.eval(pl.element().cast(pl.UInt8)))
         .collect())
pixels = table["pixels"].explode().to_numpy().reshape(len(table), -1)

database = sqlite3.connect(target, isolation_level=None)
database.execute("PRAGMA page_size=16384")
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA synchronous=NORMAL")
database.execute("CREATE TABLE face(id INTEGER PRIMARY KEY, emotion INTEGER, usage TEXT, pixels BLOB)")
database.execute("BEGIN")
database.executemany(
    "INSERT INTO face(emotion, usage, pixels) VALUES(?,?,?)",
    zip(table["emotion"].to_list(), table["Usage"].to_list(), (row.tobytes() for row in pixels)))
database.execute("COMMIT")
count = database.execute("SELECT count(*) FROM face").fetchone()[0]
database.close()
print(count)
