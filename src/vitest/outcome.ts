/** What a matcher of Vitest found. */
export interface Outcome {
  readonly pass: boolean
  readonly message: () => string
}
