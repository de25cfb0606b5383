"""Writes signatures.json: requests to S3 and how botocore signs them (AWS Signature Version 4).

    pip install botocore==1.44.8 && python make_signatures.py

The keys are the examples of AWS's documentation. The same version writes the same bytes.
"""
import datetime
import json
import os
from unittest import mock

from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

HERE = os.path.dirname(os.path.abspath(__file__))
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
CASES = [
    ("https", "data.s3.us-east-1.amazonaws.com", "/cats/1.jpg", [], None, "us-east-1"),
    ("https", "data.s3.eu-central-1.amazonaws.com", "/", [("list-type", "2"), ("prefix", "a b/ü+&=/"), ("encoding-type", "url")],
     None, "eu-central-1"),
    ("http", "127.0.0.1:9000", "/data/sp%20ace%2B%C3%BC%21%2A%28%29.png", [], "TOKEN/+=", "us-east-1"),
    ("https", "s3.cn-north-1.amazonaws.com.cn", "/a.b/x~y-z_.png", [("max-keys", "1"), ("continuation-token", "1/=+ ~")],
     "t", "cn-north-1"),
]


def quoted(text):
    from urllib.parse import quote
    return quote(text, safe="-._~")


def main():
    cases = []
    moment = datetime.datetime(2026, 11, 28, 14, 35, 21, tzinfo=datetime.timezone.utc)
    for scheme, host, path, query, token, region in CASES:
        url = f"{scheme}://{host}{path}"
        if query:
            url += "?" + "&".join(f"{quoted(k)}={quoted(v)}" for k, v in query)
        request = AWSRequest("GET", url, headers={"X-Amz-Content-SHA256": EMPTY})
        request.context["payload_signing_enabled"] = True
        request.context["signing"] = {}
        keys = Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", token)
        name = "get_current_datetime" if hasattr(auth, "get_current_datetime") else None
        if name:
            with mock.patch.object(auth, name, lambda *a, **k: moment.replace(tzinfo=None)):
                auth.S3SigV4Auth(keys, "s3", region).add_auth(request)
        else:
            class Fixed(datetime.datetime):
                @classmethod
                def utcnow(cls):
                    return moment.replace(tzinfo=None)

                @classmethod
                def now(cls, zone=None):
                    return moment
            with mock.patch.object(auth.datetime, "datetime", Fixed):
                auth.S3SigV4Auth(keys, "s3", region).add_auth(request)
        assert request.headers["X-Amz-Date"] == "20261128T143521Z", request.headers["X-Amz-Date"]
        cases.append({"host": host, "path": path, "query": [[quoted(k), quoted(v)] for k, v in query], "token": token,
                      "region": region, "authorization": request.headers["Authorization"]})
    with open(os.path.join(HERE, "signatures.json"), "w") as file:
        json.dump({"seconds": int(moment.timestamp()), "identifier": "AKIAIOSFODNN7EXAMPLE",
                   "secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "cases": cases}, file, indent=1)
        file.write("\n")


main()
