/** The second actors of a sandbox: they write at moments that requests decide. */
export class Actors {
  get isEmpty(): boolean {
    return true
  }

  /** Called when a request has been carried out, before its answer leaves. */
  after(_operation: string): void {}
}
