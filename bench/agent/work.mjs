export default function work({ ms, n }) {
  return new Promise((resolve) => setTimeout(resolve, ms, `done ${n}`));
}
