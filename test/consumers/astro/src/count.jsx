import './offline.js'
import { useEffect, useState } from 'react'

/** Says how many annotations the page gets. */
export function Count() {
  const [count, setCount] = useState(null)
  useEffect(() => {
    fetch('/api/projects/1/annotations/', { headers: { authorization: 'Bearer phx_all' } })
      .then((response) => response.json())
      .then((page) => setCount(page.count))
  }, [])
  return count === null ? null : <p role="status">The page counts {count}.</p>
}
