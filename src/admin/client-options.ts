import { inspectValue, refuseIssues, suggestWord } from '../utils/errors.ts'

/** What each option is: its description, such as `string`, and a test. */
export type OptionTests<Options> = {
  readonly [Name in keyof Options]-?: readonly [expected: string, test: (value: unknown) => boolean]
}

/**
 * Checks options without a schema: a page that only controls a server would load all of zod for two of them.
 *
 * @param task completes "Failed to …" @throws UsageError with every issue
 */
export function checkClientOptions<Options extends object>(
  tests: OptionTests<Options>,
  options: Options,
  task: string,
): void {
  const known = new Map<string, OptionTests<Options>[keyof Options]>(Object.entries(tests))
  const issues = Object.entries(options).flatMap(([name, value]) => {
    const [expected = '', test = null] = known.get(name) ?? []
    if (!test) {
      const hint =
        suggestWord(name, [...known.keys()]) || ` Allowed: ${[...known.keys()].join(', ')}`
      return [{ path: [name], text: `unknown field.${hint}` }]
    }
    if (value === undefined || test(value)) return []
    return [{ path: [name], text: `expected ${expected}, got ${inspectValue(value)}` }]
  })
  refuseIssues(issues, task)
}
