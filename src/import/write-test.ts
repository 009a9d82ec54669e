import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import process from 'node:process'
import { UsageError } from '../utils/errors.ts'
import { statsOf, unreadableFileError } from '../utils/files.ts'
import { isObject, isSameJson, tryParseJson } from '../utils/json.ts'
import { isDevice, writeNamedFile } from '../world/persistence/atomic-write.ts'
import type { Incident } from './incident.ts'
import { type TestFile, type TestRunner, writeTestFile } from './test-files.ts'

/** A test that is not written yet. */
export interface PreparedTest extends TestFile {
  /** The path of the test, beside the scenario */
  readonly file: string
  /** The folder in which the command runs. Null for the working directory */
  readonly folder: string | null
  readonly incident: Incident
}

/** Prepares a test of a scenario. @param scenarioFile where the scenario is, or will be */
export function prepareTest(
  incident: Incident,
  scenarioFile: string,
  runner: TestRunner,
): PreparedTest {
  const folder = dirname(scenarioFile)
  const path = relative(process.cwd(), folder)
  // Runners find tests in their working directory only.
  const isOutside = isAbsolute(path) || /^\.\.(?![^/\\])/.test(path)
  const testPath = isOutside ? '' : path
  const test = writeTestFile(incident, runner, basename(scenarioFile), testPath)
  return { ...test, file: join(folder, test.name), folder: isOutside ? folder : null, incident }
}

/**
 * Writes a scenario, and a test of it if there is one.
 *
 * @throws UsageError if a file has another content, which may be changes of the user, unless `force` is set. Then nothing is written
 */
export async function writeImported(
  scenarioFile: string,
  scenario: string,
  test: PreparedTest | undefined,
  force = false,
): Promise<void> {
  const files = [{ file: scenarioFile, text: scenario }, ...(test ? [test] : [])]
  const changed = files.filter(({ file, text }) => {
    const stats = statsOf(file)
    const earlier = stats && !isDevice(stats) ? readEarlier(file) : ''
    if (earlier === '' || earlier === text.trim()) return earlier === ''
    if (force || isWithoutTest(earlier, text)) return true
    const choice = test
      ? 'Name another scenario, and so its test, with --out other.json'
      : 'Choose another file with --out'
    throw new UsageError(
      `${file} already exists, and may have your changes. ${choice}, or overwrite it with --force.`,
    )
  })
  for (const { file, text } of changed) {
    await writeNamedFile(file, text)
  }
}

function readEarlier(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw unreadableFileError(file, error)
  }
}

/** Whether a file has the same scenario, but for the test. */
function isWithoutTest(file: string, scenario: string): boolean {
  const before = tryParseJson(file)?.value
  const after = tryParseJson(scenario)?.value
  if (!isObject(before) || !isObject(after) || 'test' in before) return false
  return isSameJson({ ...before, test: after.test }, after)
}
