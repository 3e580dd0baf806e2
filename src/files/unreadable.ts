/** The reason why a file, or the rest of it, is not read; the message is for people. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}
