import { useEffect, useRef, useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { useDashboard } from '../kit/context.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { JsonView } from '../kit/json-view.tsx'

interface PluginSourceProps {
  readonly id: number
  /** Another one whenever rows may be others. */
  readonly version: number
  readonly back: string
}

/** The files of a plugin, one at a time. */
export function PluginSource({ id, version, back }: PluginSourceProps) {
  const { remote } = useDashboard()
  const { value, error } = useLoad(
    async () => (await remote.world.get('plugins', id)) ?? null,
    [remote, id, version],
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [id])
  const close = () => {
    location.hash = back
  }
  return (
    <section
      class="detail"
      aria-label={`Plugin ${id}`}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {value?.name ?? `Plugin ${id}`}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {error && <ErrorMessage error={error} />}
      {value === null && <EmptyState title="There is no such plugin any more." />}
      {value && <Files plugin={value} />}
    </section>
  )
}

function Files({ plugin }: { plugin: PluginRow }) {
  const { source, config_schema, url } = plugin
  const names = Object.keys(source ?? {})
  const [open, setOpen] = useState(names[0])
  const shown = open !== undefined && names.includes(open) ? open : names[0]
  return (
    <>
      {url && <p class="line dim">{url}</p>}
      <section>
        <h3>Source</h3>
        {shown === undefined ? (
          <p class="dim">It has no files.</p>
        ) : (
          <>
            <div class="files">
              {names.map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={name === shown}
                  onClick={() => setOpen(name)}
                >
                  {name}
                </button>
              ))}
            </div>
            <JsonView value={source[shown]} label={`Source of ${shown}`} />
          </>
        )}
      </section>
      <section>
        <h3>Configuration</h3>
        <JsonView value={config_schema} label="Schema of the configuration" />
      </section>
    </>
  )
}
