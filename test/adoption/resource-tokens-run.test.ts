/**
 * Libraries that other people verify access tokens with, as docs/guides/protect-an-api.md shows them: each takes our token
 * for its resource, and no ID token, no token for another one, and none that was not signed by us.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startSignet, type TestSignet } from '../../packages/test/index.ts'
import { documented } from '../support/documented.ts'
import { withoutRegistry } from './row.ts'

const PAGE = 'docs/guides/protect-an-api.md'
const [API, OTHER] = ['http://localhost:3002', 'http://localhost:3003']
const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))
const options = { timeout: 900_000 }

/** Programs that read the issuer, the audience and tokens as arguments, and print a word for each token. */
const LIBRARIES: Readonly<
  Record<
    string,
    {
      readonly needs: string
      readonly registry: string
      readonly files: () => Record<string, string>
      readonly lines: readonly string[]
    }
  >
> = {
  'go-oidc': {
    needs: 'go',
    registry: 'https://proxy.golang.org/github.com/coreos/go-oidc/v3/@v/list',
    files: () => ({
      'main.go': `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
)

${documented(PAGE, 'go', 'newVerifier')}
func main() {
	verifier, err := newVerifier(context.Background(), os.Args[1], os.Args[2])
	if err != nil {
		panic(err)
	}
	for _, token := range os.Args[3:] {
		if _, err := verifier.Verify(context.Background(), token); err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println("accepted")
		}
	}
}
`,
    }),
    lines: ['go mod init verify', 'go mod tidy', 'go build -o verify', './verify "$@"'],
  },
  'Spring Security': {
    needs: 'mvn',
    registry:
      'https://repo.maven.apache.org/maven2/org/springframework/security/spring-security-oauth2-jose/maven-metadata.xml',
    files: () => ({
      'pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>4.1.1</version></parent>
  <groupId>verify</groupId><artifactId>verify</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.springframework.security</groupId><artifactId>spring-security-oauth2-jose</artifactId></dependency>
    <dependency><groupId>org.springframework.security</groupId><artifactId>spring-security-oauth2-resource-server</artifactId></dependency>
    <dependency><groupId>org.springframework</groupId><artifactId>spring-web</artifactId></dependency>
    <dependency><groupId>tools.jackson.core</groupId><artifactId>jackson-databind</artifactId></dependency>
  </dependencies>
</project>
`,
      'Verify.java': `import org.springframework.security.oauth2.jwt.*;

class Verify {
${documented(PAGE, 'java', 'jwtDecoder').replaceAll(/^/gm, '    ')}
    public static void main(String[] words) {
        var decoder = jwtDecoder(words[0], words[1]);
        for (int at = 2; at < words.length; at++) {
            try {
                decoder.decode(words[at]);
                System.out.println("accepted");
            } catch (JwtException refused) {
                System.out.println("refused");
            }
        }
    }
}
`,
    }),
    lines: [
      'mvn -q -B dependency:build-classpath -Dmdep.outputFile=classpath >/dev/null',
      'java -cp "$(cat classpath)" Verify.java "$@"',
    ],
  },
  'aws-jwt-verify': {
    needs: 'node',
    registry: 'https://registry.npmjs.org/aws-jwt-verify',
    files: () => ({
      'package.json': '{"type":"module"}',
      'verify.js': `import { JwtVerifier } from 'aws-jwt-verify'

const [issuer, audience, ...tokens] = process.argv.slice(2)
const keys = await (await fetch(issuer + '/oauth/v2/keys')).json()
for (const accessToken of tokens) {
  try {
${documented(PAGE, 'js', 'JwtVerifier').replace('const payload', '// It fetches keys by https alone.\nverifier.cacheJwks(keys)\nconst payload').replaceAll(/^/gm, '    ')}
    console.log(payload.sub ? 'accepted' : 'nobody')
  } catch {
    console.log('refused')
  }
}
`,
    }),
    lines: ['npm install --no-fund --no-audit aws-jwt-verify >/dev/null', 'node verify.js "$@"'],
  },
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

suite('a token for a resource', options, () => {
  let signet: TestSignet
  let tokens: Readonly<Record<string, string>>

  before(async () => {
    signet = await startSignet({ command: [process.execPath, main] })
    const user = await signet.createUser()
    const app = await signet.createApp({ resources: [API, OTHER] })
    const { access_token: right, id_token: idToken } = await signet.tokensFor(user, app, { resource: API })
    const project = `openid urn:zitadel:iam:org:project:id:${app.projectId}:aud`
    const [, claims = ''] = right.split('.')
    const unsigned = `${part({ alg: 'none', typ: 'at+jwt' })}.${claims}.`
    const symmetric = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${claims}`
    tokens = {
      'our token': right,
      'an ID token': idToken,
      'an ID token for the project': (await signet.tokensFor(user, app, { scope: project })).id_token,
      'a token for another API': (await signet.tokensFor(user, app, { resource: OTHER })).access_token,
      'a token without a signature': unsigned,
      'a token signed by the secret of the application': `${symmetric}.${createHmac('sha256', app.clientSecret).update(symmetric).digest('base64url')}`,
      'a token with another subject': right.replace(
        claims,
        part({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: '1' }),
      ),
    }
  })
  after(() => signet.stop())

  for (const [name, { needs, registry, files, lines }] of Object.entries(LIBRARIES)) {
    test(`is what ${name} accepts, and nothing else`, options, async (t) => {
      if (spawnSync('sh', ['-c', `command -v ${needs}`]).status !== 0)
        return t.skip(`there is no ${needs} on this machine`)
      const missing = await withoutRegistry(registry)
      if (missing !== false) return t.skip(missing)
      const folder = mkdtempSync(join(tmpdir(), 'signet-verify-'))
      try {
        for (const [file, text] of Object.entries(files())) writeFileSync(join(folder, file), text)
        const words = ['-ec', lines.join('\n'), 'verify', signet.url, API, ...Object.values(tokens)]
        const { stdout, stderr } = spawnSync('bash', words, { cwd: folder, encoding: 'utf8' })
        const verdicts = stdout.trim().split('\n')
        const found = Object.fromEntries(Object.keys(tokens).map((one, at) => [one, verdicts[at]]))
        const expected = Object.fromEntries(
          Object.keys(tokens).map((one, at) => [one, at === 0 ? 'accepted' : 'refused']),
        )
        assert.deepEqual(found, expected, stderr)
      } finally {
        spawnSync('chmod', ['-R', 'u+w', folder])
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})
