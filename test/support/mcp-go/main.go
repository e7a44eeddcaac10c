// A client of the Go SDK: prints where to sign in, reads where that ended, and calls a tool.
//
//	mcp-go <server> <redirect URI> <tool> [<address of its metadata document>]
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

func signIn(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	fmt.Println(args.URL)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return nil, err
	}
	end, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		return nil, err
	}
	query := end.Query()
	return &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}, nil
}

func run(server, redirectURI, tool string, document []string) error {
	config := &auth.AuthorizationCodeHandlerConfig{RedirectURL: redirectURI, AuthorizationCodeFetcher: signIn}
	if len(document) > 0 {
		config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: document[0]}
	} else {
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:              "Agent",
				RedirectURIs:            []string{redirectURI},
				TokenEndpointAuthMethod: "none",
			},
		}
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: server, OAuthHandler: handler}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool})
	if err != nil {
		return err
	}
	source, err := handler.TokenSource(ctx)
	if err != nil {
		return err
	}
	token, err := source.Token()
	if err != nil {
		return err
	}
	text := result.Content[0].(*mcp.TextContent).Text
	return json.NewEncoder(os.Stdout).Encode(map[string]string{"text": text, "token": token.AccessToken})
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		log.Fatal(err)
	}
}
