import type { TestLocation } from '../../utils/reports/report.ts'

/** A file, maybe with a line, before the names of suites and tests: of Vitest and Playwright, or of pytest */
const format = /^([^>:]*\.\w+)(?::(\d+)(?::\d+)?)?(?: > |::)/

/**
 * Finds the file of a test in its name.
 *
 * @example locateTest('tests/test_list.py::test_rows')?.file // 'tests/test_list.py'
 */
export function locateTest(name: string): TestLocation {
  const [, file, line] = format.exec(name) ?? []
  return {
    name,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line: Number(line) }),
  }
}
