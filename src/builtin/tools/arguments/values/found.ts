/** A place of a message with its value. */
export interface Found<T = string> {
  value: T;
  at: number;
  length: number;
}
