import { chai, expect } from 'vitest'

/** `toThrow` with a text compares the whole message: Vitest is content with a part of it. */
chai.use(({ Assertion }, { overwriteMethod }) =>
  overwriteMethod(
    Assertion.prototype,
    'toThrow',
    (compare: (this: object, expected: unknown) => void) =>
      function (this: object, expected: unknown) {
        const isText = typeof expected === 'string'
        compare.call(this, isText ? expect.objectContaining({ message: expected }) : expected)
      },
  ),
)
