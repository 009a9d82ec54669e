/**
 * Whether the path of a rule is the path of an endpoint.
 *
 * @param pattern of the endpoint, such as `/api/projects/:project_id`
 * @param valueAt the value that a parameter has in a request; undefined where any will do
 */
export function matchesPath(
  path: string,
  pattern: string,
  valueAt: (name: string) => string | undefined,
): boolean {
  const [asked, described] = [splitPath(path), splitPath(pattern)]
  return (
    asked.length === described.length &&
    described.every((segment, index) => matchesSegment(asked[index] as string, segment, valueAt))
  )
}

function matchesSegment(
  asked: string,
  described: string,
  valueAt: (name: string) => string | undefined,
): boolean {
  if (asked === '*') return true
  if (!described.startsWith(':')) return asked === described
  return /^(:|\{)/.test(asked) || [asked, undefined].includes(valueAt(described.slice(1)))
}

function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}
