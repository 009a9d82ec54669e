import { useEffect, useState } from 'react'
import type { Annotation, Page } from 'understudy-api'

const headers = { authorization: 'Bearer phx_all' }

/** The annotations of a project. */
export function Annotations() {
  const [rows, setRows] = useState<readonly Annotation[] | null>(null)
  useEffect(() => {
    const mounted = new AbortController()
    fetch('/api/projects/1/annotations/', { headers, signal: mounted.signal })
      .then((response) => response.json())
      .then(({ results }: Page<Annotation>) => setRows(results))
      .catch((error) => {
        if (error.name !== 'AbortError') throw error
      })
    return () => mounted.abort()
  }, [])

  if (rows?.length === 0) return <p>No annotations</p>
  return (
    <ul>
      {rows?.map(({ id, content }) => (
        <li key={id}>{content}</li>
      ))}
    </ul>
  )
}
