/** The name of the scenario of an imported file. @example scenarioFileOf('incident.har') // 'incident.json' */
export function scenarioFileOf(name: string): string {
  return `${name.replace(/\.(?:har|jsonl?|ndjson)$/i, '')}.json`
}
