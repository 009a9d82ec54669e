import { useParams } from './app.ts'
import { Button } from './kit.tsx'

export const pageSize = 50

/** The place of the first row of the page that the address names. */
export function useOffset(): number {
  const { page = '' } = useParams().params
  return Math.max(0, Math.trunc(Number(page) - 1) || 0) * pageSize
}

export function Pages({ count }: { count: number }) {
  const { set } = useParams()
  const offset = useOffset()
  const last = Math.min(offset + pageSize, count)
  const end = Math.floor((count - 1) / pageSize) * pageSize
  const button = (label: string, target: number, disabled: boolean) => (
    <Button
      label={label}
      disabled={disabled}
      onClick={() => set({ page: target === 0 ? '' : String(target / pageSize + 1) })}
    />
  )
  return (
    <nav class="row toolbar" aria-label="Pages">
      <span role="status">
        {[offset + 1, last].map((number) => number.toLocaleString('en')).join('–')} of{' '}
        {count.toLocaleString('en')}
      </span>
      {count > pageSize && (
        <>
          {button('First', 0, offset === 0)}
          {button('Previous', offset - pageSize, offset === 0)}
          {button('Next', offset + pageSize, last >= count)}
          {button('Last', end, last >= count)}
        </>
      )}
    </nav>
  )
}
