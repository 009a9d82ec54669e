package annotations

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

func newSandbox(t *testing.T) (sandbox struct{ URL, Key string }) {
	body := fmt.Sprintf(`{"name": %q, "ttl_s": 600}`, t.Name())
	response, err := http.Post(os.Getenv("UNDERSTUDY_URL")+"/__admin/sandboxes", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal("Run the tests with npx ./understudy-api-0.1.0.tgz exec --", err)
	}
	json.NewDecoder(response.Body).Decode(&sandbox)
	return
}
