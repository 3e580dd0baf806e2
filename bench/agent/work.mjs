export default function work({ ms, n }) {
  // A tool that takes its process down.
  if (ms < 0) process.exit(1);
  return ms ? new Promise((resolve) => setTimeout(resolve, ms, `done ${n}`)) : `done ${n}`;
}
