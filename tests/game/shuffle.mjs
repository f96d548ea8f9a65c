// Fair deals as FAIRNESS.md (rummy_arena/game) tells them, in another language: nothing here was
// taken from the Python code. Two uses:
//   node shuffle.mjs TABLE_SEED NUMBER ATTEMPT LABEL COUNT  prints an order; LABEL is "deck", or the
//                                                           number of a reshuffle
//   node shuffle.mjs VECTORS.json                           redoes the vectors; exit status 1 if any
//                                                           of them comes out otherwise
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const hmac = (key, ...parts) =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest();

const dealSeed = (tableSeed, number, attempt) =>
  hmac(tableSeed, "deal", Buffer.from([number, attempt]));

const commitment = (seed, number, attempt) =>
  createHash("sha256")
    .update("rummy-arena deal v1").update(Buffer.from([0, number, attempt])).update(seed)
    .digest("hex");

const reshuffleLabel = (nth) => Buffer.concat([Buffer.from("reshuffle"), Buffer.from([nth])]);

let rejected = 0;

function* words(seed, label) {
  for (let block = 0; ; block++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(block);
    const digest = hmac(seed, label, counter);
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}

function shuffled(items, seed, label) {
  const order = [...items];
  const source = words(seed, label);
  for (let i = order.length - 1; i > 0; i--) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let word = source.next().value;
    for (; word >= limit; rejected++) word = source.next().value;
    const j = word % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function pack(packs, jokers) {
  const cards = [];
  for (const suit of "CDHS")
    for (const rank of "A23456789TJQK")
      for (let copy = 1; copy <= packs; copy++) cards.push(`${rank}${suit}${copy}`);
  for (let joker = 1; joker <= jokers; joker++) cards.push(`*${joker}`);
  return cards;
}

const numbers = (count) => Array.from({ length: count }, (_, place) => place);
const cardsOf = (text) => (text ? text.split(" ") : []);

function checkVectors(file) {
  const vectors = JSON.parse(readFileSync(file, "utf8"));
  let checked = 0, wrong = 0;
  const check = (what, found, right) => {
    checked++;
    if (found === right) return;
    wrong++;
    console.error(`${what}: the file has ${right}, I find ${found}`);
  };
  for (const { table_seed: table, number, attempt, seed } of vectors.derived_seeds)
    check("derived seed", dealSeed(Buffer.from(table, "hex"), number, attempt).toString("hex"), seed);
  for (const deal of vectors.deals) {
    const seed = Buffer.from(deal.seed, "hex");
    const deck = shuffled(pack(deal.packs, deal.jokers), seed, "deck");
    check("commitment", commitment(seed, deal.number, deal.attempt), deal.commitment);
    check("deck", deck.join(" "), deal.deck);
    for (const { number, pile, order } of deal.reshuffles)
      check("reshuffle", shuffled(cardsOf(pile), seed, reshuffleLabel(number)).join(" "), order);
    check("lots", shuffled(numbers(deal.lots.length), seed, "lots").join(" "), deal.lots.join(" "));
  }
  console.log(`${checked} checked, ${wrong} wrong, ${rejected} words rejected`);
  process.exitCode = wrong || !checked ? 1 : 0;
}

const [first, number, attempt, label, count] = process.argv.slice(2);
if (number === undefined) {
  checkVectors(first);
} else {
  const seed = dealSeed(Buffer.from(first, "hex"), Number(number), Number(attempt));
  const prefix = label === "deck" ? "deck" : reshuffleLabel(Number(label));
  console.log(shuffled(numbers(Number(count)), seed, prefix).join(" "));
}
