import { readSession } from '$lib/server/session.js'

export async function load({ cookies }) {
  const { user } = await readSession(cookies)
  return { user }
}
