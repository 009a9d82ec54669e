import { type Issue, inspectValue, issuesError, UsageError } from './errors.ts'
import { withoutByteOrderMark } from './json.ts'
import { indexOfError } from './python-json.ts'

/**
 * Parses the JSON text of a file. A byte order mark, which some editors write, is ignored.
 *
 * @param name the file, for the message
 * @param advice what to do about invalid JSON
 * @throws UsageError with the position of the first error
 */
export function parseJsonText(text: string, name: string, advice = ''): unknown {
  const json = withoutByteOrderMark(text)
  try {
    return JSON.parse(json)
  } catch (error) {
    const at = indexOfError(json)
    const reason = at === null ? (error as Error).message : describeError(json, at)
    throw new UsageError(`${name} is not valid JSON: ${reason}.${advice && ` ${advice}`}`)
  }
}

function describeError(json: string, at: number) {
  const lines = json.slice(0, at).split('\n')
  const character = json.slice(at)[Symbol.iterator]().next().value
  const what = character === undefined ? 'it ends' : `unexpected ${inspectValue(character)}`
  return `${what} in line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`
}

/** The same for a file that people write. @throws UsageError for a name that occurs twice in an object, too */
export function parseWrittenJson(text: string, name: string, advice?: string): unknown {
  const value = parseJsonText(text, name, advice)
  const issues = findRepeatedNames(text)
  if (issues.length === 0) return value
  throw issuesError(`${name} has a name twice in an object, which keeps one of them.`, issues)
}

/** In valid JSON: a name with its colon, another text, or a mark. */
const jsonToken = /("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs

function findRepeatedNames(json: string) {
  const issues: Issue[] = []
  const path: (string | number)[] = []
  /** The names of each object around, and null for each list */
  const names: (Set<string> | null)[] = []
  for (const [token, quoted] of json.matchAll(jsonToken)) {
    const [known, step] = [names.at(-1), path.length - 1]
    if (quoted !== undefined) {
      const name: string = JSON.parse(quoted)
      path[step] = name
      if (known?.has(name)) issues.push({ path: [...path], text: 'occurs twice' })
      known?.add(name)
    } else if (token === ',' && known === null) path[step] = Number(path[step]) + 1
    else if (token === '{' || token === '[') {
      names.push(token === '{' ? new Set() : null)
      path.push(0)
    } else if (token === '}' || token === ']') {
      names.pop()
      path.pop()
    }
  }
  return issues
}
