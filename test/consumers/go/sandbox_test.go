package annotations

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func newSandbox(t *testing.T) (sandbox struct{ URL, Key string }) {
	response, err := http.Post(os.Getenv("UNDERSTUDY_URL")+"/__admin/sandboxes", "application/json", strings.NewReader(`{"ttl_s": 600}`))
	if err != nil {
		t.Fatal("Run the tests with npx ./understudy-api-0.1.0.tgz exec --", err)
	}
	json.NewDecoder(response.Body).Decode(&sandbox)
	return
}
