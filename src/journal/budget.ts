/** Bytes that several share: each may keep what it likes until all together keep too much, then its part. */
export class MemoryBudget {
  /** The most that all together may keep, but for those who kept more than their part before. */
  readonly limit: number
  /** What all together keep, in bytes. */
  used = 0
  /** How many share it. */
  holders = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit
  }

  /** What one of them may keep at the moment, in bytes. */
  get allowance(): number {
    return this.used <= this.limit ? Number.POSITIVE_INFINITY : this.limit / this.holders
  }
}
