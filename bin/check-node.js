// Plain JavaScript, so that an older Node can read it and say what is wrong.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `HoloDeck needs Node 24 or newer; this is Node ${process.versions.node}.\n` +
      'In a checkout, `npm ci` brings Node 24 along for every npm script. If it did not, run: npm rebuild node',
  );
  process.exit(2);
}
