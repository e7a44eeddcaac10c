/** What is wrong with a certificate or its key, said of the file that has it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readTls } from './tls-files.ts'

const root = await mkdtemp(join(tmpdir(), 'signet-tls-files-'))
after(() => rm(root, { recursive: true, force: true }))

const path = (name: string) => join(root, name)

test('a file that is no certificate, no key, or a key of another certificate is named, with what it is', async () => {
  const [cert, key, foreign] = [path('cert.pem'), path('key.pem'), path('foreign.pem')]
  const subject = ['-subj', '/CN=localhost', '-days', '2']
  const openssl = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject]
  execFileSync('openssl', openssl, { stdio: 'ignore' })
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await writeFile(foreign, pair.privateKey)
  const locked = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await writeFile(path('locked.pem'), locked.privateKey)
  await writeFile(path('empty.pem'), '')
  await writeFile(path('text.pem'), 'not a certificate')
  const read = (certFile: string, keyFile: string) => readTls({ tlsCertFile: certFile, tlsKeyFile: keyFile })
  assert.ok(await read(cert, key))
  const isRefused = (certFile: string, keyFile: string, message: RegExp) =>
    assert.rejects(read(certFile, keyFile), { name: 'SettingRefused', message })
  await isRefused(path('empty.pem'), key, /^SIGNET_TLS_CERT_FILE: \S+empty\.pem is empty\.$/)
  await isRefused(path('text.pem'), key, /^SIGNET_TLS_CERT_FILE: \S+text\.pem is not a PEM file/)
  await isRefused(key, key, /^SIGNET_TLS_CERT_FILE: \S+key\.pem contains a PRIVATE KEY and no certificate/)
  await isRefused(cert, cert, /^SIGNET_TLS_KEY_FILE: \S+cert\.pem contains a CERTIFICATE and no private key/)
  await isRefused(cert, path('locked.pem'), /^SIGNET_TLS_KEY_FILE: \S+locked\.pem is encrypted/)
  await isRefused(
    cert,
    foreign,
    /^SIGNET_TLS_KEY_FILE: the key in \S+foreign\.pem does not belong to the certificate in \S+cert\.pem\.$/,
  )
})
