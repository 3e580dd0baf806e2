export default function work({ ms, n }) {
  // Simulates a tool that crashes its process.
  if (ms < 0) process.exit(1);
  return ms ? new Promise((resolve) => setTimeout(resolve, ms, `done ${n}`)) : `done ${n}`;
}
