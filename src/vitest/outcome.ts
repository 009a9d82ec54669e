/** What a matcher of Vitest found. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}
