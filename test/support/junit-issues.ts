interface ElementRule {
  readonly attributes: Readonly<Record<string, RegExp>>
  readonly required: readonly string[]
  readonly children: readonly string[]
}

const text = /^.*$/s
const count = /^\d+$/
const seconds = /^\d+\.\d{3}$/

const problem: ElementRule = {
  attributes: { message: text, type: text },
  required: ['type'],
  children: [],
}

/**
 * The elements of the schema junit-10.xsd of Jenkins that reports have. Stricter than it: each suite has a time, a time
 * stamp and a host.
 */
const rules: Readonly<Record<string, ElementRule>> = {
  testsuites: {
    attributes: { name: text, tests: count, failures: count, errors: count, time: seconds },
    required: ['tests', 'failures', 'errors', 'time'],
    children: ['testsuite'],
  },
  testsuite: {
    attributes: {
      name: text,
      tests: count,
      failures: count,
      errors: count,
      skipped: count,
      time: seconds,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      hostname: /^.+$/,
    },
    required: ['name', 'tests', 'failures', 'errors', 'time', 'timestamp', 'hostname'],
    children: ['testcase'],
  },
  testcase: {
    attributes: { name: text, classname: text, time: seconds },
    required: ['name', 'classname', 'time'],
    children: ['failure', 'error', 'skipped'],
  },
  failure: problem,
  error: problem,
  skipped: problem,
}

/** Finds what a JUnit report contains against the schema, as lines. */
export function findJunitIssues(xml: string): string[] {
  const issues: string[] = []
  const open: string[] = []
  const tags = xml.matchAll(/<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g)
  for (const [tag, isEnd, name = '', attributes = '', isEmpty] of tags) {
    if (isEnd) {
      if (open.pop() !== name) issues.push(`${tag} ends another element`)
      continue
    }
    const parent = open.at(-1)
    const allowed = parent === undefined ? ['testsuites'] : (rules[parent]?.children ?? [])
    if (!allowed.includes(name)) issues.push(`${name} in ${parent}`)
    issues.push(...findAttributeIssues(name, attributes))
    if (!isEmpty) open.push(name)
  }
  const rest = xml.replace(/<[^<>]*>/g, '')
  return [
    ...issues,
    ...open.map((name) => `${name} does not end`),
    ...(/[<>]/.test(rest) ? ['a bare mark'] : []),
  ]
}

function findAttributeIssues(name: string, text: string): string[] {
  const rule = rules[name]
  if (!rule) return [`unknown element ${name}`]
  const found = new Map(
    [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  )
  const wrong = [...found].filter(([key, value]) => !rule.attributes[key]?.test(value))
  const missing = rule.required.filter((key) => !found.has(key))
  return [
    ...wrong.map(([key, value]) => `${name} ${key}="${value}"`),
    ...missing.map((key) => `${name} without ${key}`),
  ]
}
