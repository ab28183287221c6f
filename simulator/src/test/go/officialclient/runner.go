package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The files of a JIT config, each one JSON (protocol 8.1).
func files(config string) map[string]map[string]any {
	var encoded map[string]string
	ok(json.Unmarshal(must(base64.StdEncoding.DecodeString(config)), &encoded))
	decoded := map[string]map[string]any{}
	for name, text := range encoded {
		var content map[string]any
		ok(json.Unmarshal(must(base64.StdEncoding.DecodeString(text)), &content))
		decoded[name] = content
	}
	return decoded
}

// A played runner: what a real one sends while it runs one job.
type runner struct {
	server, token, session string
}

func connect(ctx context.Context, config string) *runner {
	content := files(config)
	data := content[".credentials"]["Data"].(map[string]any)
	form := url.Values{
		"grant_type":            {"client_credentials"},
		"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
		"client_assertion":      {assertion(data, content[".credentials_rsaparams"])},
	}
	r := &runner{server: content[".runner"]["ServerUrlV2"].(string)}
	answer := r.send(ctx, "POST", data["authorizationUrl"].(string), "application/x-www-form-urlencoded", form.Encode())
	r.token = answer["access_token"].(string)
	r.session = r.post(ctx, r.server+"session", map[string]any{"ownerName": "played"})["sessionId"].(string)
	return r
}

func assertion(data, params map[string]any) string {
	number := func(name string) *big.Int {
		return new(big.Int).SetBytes(must(base64.StdEncoding.DecodeString(params[name].(string))))
	}
	key := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: number("modulus"), E: int(number("exponent").Int64())},
		D:         number("d"), Primes: []*big.Int{number("p"), number("q")},
	}
	now := time.Now().Unix()
	claims := must(json.Marshal(map[string]any{
		"iss": data["clientId"], "sub": data["clientId"], "aud": data["authorizationUrl"], "nbf": now, "exp": now + 300,
	}))
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(must(rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])))
}

// Waits for a job and takes it; what it needs to complete it.
func (r *runner) take(ctx context.Context) (runService string, plan map[string]any) {
	for {
		message := r.send(ctx, "GET", r.server+"message?status=Online&sessionId="+r.session, "", "")
		if message["messageType"] == "RunnerJobRequest" {
			var body map[string]any
			ok(json.Unmarshal([]byte(message["body"].(string)), &body))
			runService = body["run_service_url"].(string)
			job := r.post(ctx, runService+"/acquirejob", map[string]any{"jobMessageId": body["runner_request_id"]})
			return runService, map[string]any{"planId": job["plan"].(map[string]any)["planId"], "jobId": job["jobId"]}
		}
	}
}

func (r *runner) complete(ctx context.Context, runService string, plan map[string]any) {
	plan["conclusion"] = "succeeded"
	r.post(ctx, runService+"/completejob", plan)
}

func (r *runner) post(ctx context.Context, url string, body map[string]any) map[string]any {
	return r.send(ctx, "POST", url, "application/json", string(must(json.Marshal(body))))
}

func (r *runner) send(ctx context.Context, method, url, contentType, body string) map[string]any {
	request := must(http.NewRequestWithContext(ctx, method, url, bytes.NewBufferString(body)))
	request.Header.Set("Content-Type", contentType)
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	text := must(io.ReadAll(response.Body))
	if response.StatusCode >= 300 {
		panic(failure(fmt.Sprintf("runner: %s %s: %s %s", method, url, response.Status, text)))
	}
	answer := map[string]any{}
	if len(strings.TrimSpace(string(text))) > 0 {
		ok(json.Unmarshal(text, &answer))
	}
	return answer
}
