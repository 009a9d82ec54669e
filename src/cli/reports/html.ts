import { formatDetails, formatSummary } from '../../scenarios/run/report.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { escapeXml } from '../../utils/escape.ts'
import { formatCount } from '../output/format-count.ts'
import { hasPassed, type ReplayedFile } from '../replay-file.ts'

const style = `
  :root { color-scheme: light dark; --ok: light-dark(#18733a, #6fd08c); --bad: light-dark(#b3261e, #ff9a91); }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
    background: light-dark(#fff, #16181c); color: light-dark(#1c1e21, #e6e6e6); }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
  p { margin: 0 0 0.5rem; } code, pre { font: 0.85rem/1.45 ui-monospace, monospace; }
  ol { list-style: none; margin: 0; padding: 0; }
  li { border-top: 1px solid light-dark(#ddd, #3a3d43); padding: 0.3rem 0; }
  pre { background: light-dark(#f4f4f4, #22252b); margin: 0.3rem 0; overflow-x: auto; padding: 0.6rem; }
  .passed b, .ok { color: var(--ok); } .failed b, .bad { color: var(--bad); }`

const outcomes: Readonly<Record<StepResult['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  prepared: 'not compared',
}

/** Creates a report as an HTML page that loads nothing else. */
export function htmlReport(replayed: readonly ReplayedFile[]): string {
  const passed = replayed.filter(hasPassed).length
  const title = `${passed} of ${formatCount(replayed.length, 'scenario')} passed`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Replay: ${title}</title>
<style>${style}
</style>
</head>
<body>
<h1>${title}</h1>
${replayed.map(toSection).join('\n')}
</body>
</html>
`
}

function toSection(replayed: ReplayedFile): string {
  const { file, result, error } = replayed
  const summary = result ? formatSummary(result) : (error ?? '')
  const steps = (result?.steps ?? []).map(toListItem).join('\n')
  return `<section>
<h2>${escapeXml(result?.title ?? file)}</h2>
<p><code>${escapeXml(file)}</code> <span class="${hasPassed(replayed) ? 'ok' : 'bad'}">${escapeXml(summary)}</span></p>
<ol>
${steps}
</ol>
</section>`
}

function toListItem(step: StepResult): string {
  const { outcome, title } = step
  const details = formatDetails(step).map((line) => line.replace(/^ {6}/, ''))
  const block = details.length > 0 ? `<pre>${escapeXml(details.join('\n'))}</pre>` : ''
  return `<li class="${outcome}">${step.step}. ${escapeXml(title)} <b>${outcomes[outcome]}</b>${block}</li>`
}
