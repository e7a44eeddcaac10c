import { readSession } from '../session.js'

// biome-ignore lint/style/noDefaultExport: Next.js reads the default export.
export default async function Page() {
  const { user } = await readSession()
  // Links with effects are no <Link>: Next.js would open them ahead of time.
  if (user === undefined) return <a href="/auth/sign-in">Sign in</a>
  return (
    <main>
      <h1>Hello {user.name}</h1>
      <a href="/auth/sign-out">Sign out</a>
    </main>
  )
}
