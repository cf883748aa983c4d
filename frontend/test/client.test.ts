import assert from "node:assert/strict";
import { test } from "node:test";
import { address, fileKey } from "../src/api/client.ts";

test("an address leaves out what is not set and encodes what is", () => {
  const params = { session: "a/b c", host: "h&1", memory: null, site: 0, finding: "" };
  assert.equal(address("site", params), "site?session=a%2Fb%20c&host=h%261&site=0");
  assert.equal(address("sessions"), "sessions");
});

test("a report file is asked by what is wanted, not by how finely it is drawn", () => {
  assert.equal(
    fileKey("timeline?session=s&host=h&pixels=1200&start_ns=5"),
    "timeline?host=h&session=s",
  );
  assert.equal(fileKey("sessions"), "sessions");
});
