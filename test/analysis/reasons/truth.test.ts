import { beforeAll, describe, expect, test } from 'vitest'
import {
  explainAnswer,
  findRowId,
  listOtherRows,
  readAnswers,
  sendSuggestion,
  startSimulator,
  tables,
  writeLine,
} from './truth/answers.ts'

/** Each answer of a table with its reasons. */
async function explainTable(table: string) {
  const explained = []
  for (const answer of readAnswers(table)) {
    const reasons = await explainAnswer(await startSimulator(answer), answer)
    explained.push({ answer, reasons })
  }
  return explained
}

describe.each(tables)('%s', (table) => {
  let explained: Awaited<ReturnType<typeof explainTable>>
  beforeAll(async () => {
    explained = await explainTable(table)
  })

  test('each answer has its true reason', () => {
    const lines = explained.map(({ answer, reasons }) => writeLine(answer, reasons))

    expect(lines).toEqual(explained.map(({ answer }) => answer.line))
  })

  test('each suggested request succeeds, and names and changes no other row', async () => {
    const wrong: string[] = []

    for (const { answer, reasons } of explained) {
      const { would_succeed } = reasons
      if (would_succeed === null) continue
      const fresh = await startSimulator(answer)
      fresh.faults.clear()
      const before = listOtherRows(fresh, answer)
      const { status } = await sendSuggestion(fresh, would_succeed)
      const after = new Set(listOtherRows(fresh, answer))
      const changed = before.filter((row) => !after.has(row))
      const named = findRowId(would_succeed.path) ?? findRowId(answer.request)
      if (status >= 300 || changed.length > 0 || named !== findRowId(answer.request)) {
        wrong.push(`${answer.line}: ${JSON.stringify(would_succeed)}: ${status} ${changed}`)
      }
    }

    expect(wrong).toEqual([])
  })

  test('a sentence calls a fault applied only if it delayed or changed the response', () => {
    const faulty = explained.filter(({ answer: { state } }) =>
      state.some((statement) => statement.startsWith('fault ')),
    )

    const wrong = faulty.filter(({ answer: { state }, reasons: { decided_by, sentence } }) => {
      const isDelayed = state.some((statement) => statement.includes('"delay_ms"'))
      const isFelt = isDelayed || decided_by.id === 'fault.fault-1'
      return sentence.includes('fault-1` was applied') !== isFelt
    })

    expect(wrong.map(({ answer, reasons }) => `${answer.line}: ${reasons.sentence}`)).toEqual([])
  })
})
