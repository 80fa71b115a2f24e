// A query in other clients' forms: for a shell, for GraphiQL, for TypeScript and for Python. The key is never in it.

export interface Snippet {
  name: string
  text: string
}

export function toSnippets(document: string, variables: unknown, origin: string): Snippet[] {
  const url = `${origin}/graphql`
  const given = JSON.stringify(variables)
  const body = JSON.stringify({ query: oneLine(document), variables })
  return [
    {
      name: 'curl',
      text: `curl ${url} -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`,
    },
    { name: 'GraphQL', text: `${document}\n\n# Variables\n# ${given}` },
    {
      name: 'TypeScript',
      text: `const query = \`${document.replaceAll('`', '\\`')}\`
const response = await fetch('${url}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables: ${given} }),
})
const { data, errors } = await response.json()
if (errors) throw new Error(errors[0].message)
console.log(data)`,
    },
    {
      name: 'Python',
      text: `import json, os
from urllib.request import Request, urlopen

query = """${document}"""
body = json.dumps({"query": query, "variables": json.loads(${JSON.stringify(given)})}).encode()
headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"}
with urlopen(Request("${url}", body, headers)) as response:
    print(json.load(response)["data"])`,
    },
  ]
}

const oneLine = (document: string): string => document.replace(/\s+/g, ' ')
