import type { JournalChange } from '../../journal/entry.ts'

/** What a request did to rows: each field before and after. */
export function RowChanges({ changes }: { changes: readonly JournalChange[] }) {
  if (changes.length === 0) return null
  return (
    <section>
      <h3>What changed</h3>
      {changes.map(({ list, id, kind, fields }) => (
        <table class="changes" key={`${list} ${id}`}>
          <caption>
            {list} {id} <span class="tag">{kind}</span>
          </caption>
          <thead class={kind === 'changed' ? '' : 'unseen'}>
            <tr>
              <th>Field</th>
              <th>Before</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(fields).map(([field, [before, after]]) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td class="before">{kind === 'created' ? '' : formatValue(before)}</td>
                <td class="after">{kind === 'removed' ? '' : formatValue(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}

function formatValue(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}
