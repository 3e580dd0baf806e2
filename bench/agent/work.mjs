export default function work({ ms, n }) {
  return ms ? new Promise((resolve) => setTimeout(resolve, ms, `done ${n}`)) : `done ${n}`;
}
