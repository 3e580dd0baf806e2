export default function work({ ms, n }: { ms: number; n: number }): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, `done ${n}`));
}
