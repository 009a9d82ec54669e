import type { Paint, TextTone } from '../output/paint.ts'

const tones: Readonly<Record<string, TextTone>> = {
  '✓': 'good',
  '✗': 'bad',
  '-': 'warning',
  '·': 'faint',
}

/** A step as `stepReport` tells it, in colours. */
export function paintStep(report: string, paint: Paint): string {
  const [first = '', ...details] = report.split('\n')
  const head = first.replace(/^( {2})(\S)/, (_, space: string, mark: string) => {
    const tone = tones[mark]
    return space + (tone ? paint(tone, mark) : mark)
  })
  return [head, ...details.map((line) => paintDetail(line, paint))].join('\n')
}

function paintDetail(line: string, paint: Paint): string {
  if (line.startsWith('        expected ')) return paint('good', line)
  if (line.startsWith('        got ')) return paint('bad', line)
  return /^ {6}(decided|answered) /.test(line) ? paint('faint', line) : line
}
