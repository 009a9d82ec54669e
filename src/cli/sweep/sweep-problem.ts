import type { Baseline } from '../../analysis/variants/sweep.ts'
import { escapeXml } from '../../utils/escape.ts'
import { htmlPage } from '../../utils/reports/html.ts'
import { toJunit } from '../../utils/reports/junit.ts'
import { toSarif } from '../../utils/reports/sarif.ts'

/** Why a command could not be swept. */
export interface SweepProblem {
  /** The command, such as `npm test` */
  readonly command: string
  readonly verdict: Baseline['verdict']
  readonly problem: string
}

/** The formats of a report about a command that could not be swept, by the extension of its file. */
export const problemFormats: Readonly<Record<string, (problem: SweepProblem) => string>> = {
  json: (problem) => `${JSON.stringify(problem, null, 2)}\n`,
  xml: ({ command, problem }) => {
    const [message = ''] = problem.split('\n', 1)
    const error = { kind: 'error', message, text: problem } as const
    const cases = [{ name: 'without a change', classname: command, problem: error }]
    return toJunit([{ name: 'understudy sweep', cases }])
  },
  sarif: ({ command, problem }) => {
    const rule = { id: 'not-swept', sentence: 'The command could not be swept.' }
    const findings = [{ rule: rule.id, level: 'error', message: problem } as const]
    return toSarif({ command: `understudy sweep -- ${command}`, rules: [rule], findings })
  },
  html: ({ command, problem }) =>
    htmlPage({
      title: `Sweep: ${command}`,
      sections: [{ title: 'Not swept', content: `<pre>${escapeXml(problem)}</pre>` }],
    }),
}

/** Says why a command cannot be swept. @param jobs how many runs happened at once */
export function describeProblem({ verdict, runs }: Baseline, jobs: number): string {
  const failed = runs.find(({ failure }) => failure !== null)
  const output = failed?.output ? `\nThe end of its output:\n${failed.output.trimEnd()}` : ''
  const hint = jobs > 1 ? ' Both ran at once: if they disturb each other, add --jobs 1.' : ''
  if (verdict === 'failing') {
    return `No policy can be blamed: without a change, ${failed?.failure} in both of two runs.${hint}${output}`
  }
  if (verdict === 'flaky') {
    return `No policy can be blamed, because the command is flaky: without a change, ${failed?.failure} in one of two runs.${hint}${output}`
  }
  if (verdict === 'interrupted') return 'Interrupted before the command had run twice.'
  return 'No policy can matter, because the command sent no request to UNDERSTUDY_URL. If its tests have simulators of their own, use the reporter understudy-api/vitest/sweep, or sweep() of understudy-api/node.'
}
