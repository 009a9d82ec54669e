'use client'
import { useEffect, useState } from 'react'

/** Says how many annotations the page gets, while the server lists them. */
export function Count({ token }) {
  const [count, setCount] = useState(null)
  useEffect(() => {
    const headers = { authorization: `Bearer ${token}` }
    fetch('/api/projects/1/annotations/', { headers })
      .then((response) => response.json())
      .then((page) => setCount(page.count))
  }, [token])
  return count === null ? null : <p role="status">The page counts {count}.</p>
}
