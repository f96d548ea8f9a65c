// The shuffle as the documentation of rummy_arena/game/chance.py tells it, in another language.
// Arguments: table seed (hex), contract, attempt, label, number of cards. Prints the order.
import { createHmac } from "node:crypto";

const [seedHex, contract, attempt, label, count] = process.argv.slice(2);
const hmac = (key, ...parts) =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest();

const dealSeed = hmac(
  Buffer.from(seedHex, "hex"), "deal", Buffer.from([Number(contract), Number(attempt)]));
const prefix = label === "deck"
  ? Buffer.from("deck")
  : Buffer.concat([Buffer.from("reshuffle"), Buffer.from([Number(label)])]);

function* words() {
  for (let block = 0; ; block++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(block);
    const digest = hmac(dealSeed, prefix, counter);
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}

const order = Array.from({ length: Number(count) }, (_, place) => place);
const source = words();
for (let i = order.length - 1; i > 0; i--) {
  const limit = 2 ** 32 - (2 ** 32 % (i + 1));
  let word = source.next().value;
  while (word >= limit) word = source.next().value;
  const j = word % (i + 1);
  [order[i], order[j]] = [order[j], order[i]];
}
console.log(order.join(" "));
